"""What is in a table, what risk it carries, and a job to begin with."""
