"""What is known of operators, without torch."""
