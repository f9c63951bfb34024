"""What is true of records: who is free, who waits, which skill is understaffed.

Each fact is defined here once. Screens, tables, actions, the header and the command line ask these functions. They take
records and the render context, and know nothing of drawing.
"""
