"""Commands that tell how a deployment and this machine are."""
