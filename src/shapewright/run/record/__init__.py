"""What is noted while the user's code runs: calls, modules, landmarks of training, losses, arrays. It judges
nothing."""
