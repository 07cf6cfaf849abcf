// What makes the program start quickly; there is nothing to call.
