UPDATE notes SET text = 'The train leaves at ten from the central station.' WHERE id = 1;
