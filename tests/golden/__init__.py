"""What every public function returned when this table was written, bit by bit."""
