"""What every part uses: clock, zone, text, signs, sort order, patterns."""
