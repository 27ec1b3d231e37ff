"""What bots share: levels, search drivers, programs as players."""
