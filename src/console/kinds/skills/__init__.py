"""What is true of skills; their list stands beside that of agents."""
