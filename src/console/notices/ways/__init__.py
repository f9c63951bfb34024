"""The ways to tell a person about a notice, a module each. Those that need a library import it when they are used."""
