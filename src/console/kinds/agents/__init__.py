"""Agents and skills."""
