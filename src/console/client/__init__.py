"""Asking: the one package that speaks HTTP and WebSocket to the services."""
