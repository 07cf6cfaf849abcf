UPDATE notes SET text = 'The train leaves at ten from the main station.' WHERE id = 1;
