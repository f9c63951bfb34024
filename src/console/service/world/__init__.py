"""What the embedded service can start from: `spec` reads a world's file, the other modules fill it with records."""
