INSERT INTO mails VALUES (2, 'Offer'), (3, 'Invoice');
