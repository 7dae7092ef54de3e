"""Pieces of a training loop on Hugging Face Accelerate. Each is one noun; none of them calls the model behind the
recipe's back."""
