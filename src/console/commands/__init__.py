"""The engine of actions: what an action is, its guards and its inputs. It knows no kind."""
