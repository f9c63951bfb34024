"""The service over HTTP: connections, dispatch of requests, paging, caches of answers. Start with `dispatch.py`."""
