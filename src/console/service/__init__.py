"""The embedded implementation of both services, over HTTP and WebSocket, with a database."""
