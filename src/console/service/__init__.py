"""Answering: the embedded implementation of both services, over HTTP and WebSocket, on a database."""
