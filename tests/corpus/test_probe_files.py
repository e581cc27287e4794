"""The off-topic questions that come with the builder: what a probe file may hold."""
