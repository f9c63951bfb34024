"""SIP identities and mappings."""
