INSERT INTO mails (subject) VALUES ('Invoice'), ('Spam');
DELETE FROM mails WHERE subject = 'Spam';
