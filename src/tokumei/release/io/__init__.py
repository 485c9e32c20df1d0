"""Files and dataframes in and out, and the private staging folder."""
