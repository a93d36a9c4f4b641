"""What commands share: options, output, progress, states from files, a person at the table."""
