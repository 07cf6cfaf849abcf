UPDATE notes SET text = 'The train leaves at nine from the central station.' WHERE id = 1;
