INSERT INTO mails (subject) VALUES ('Offer');
