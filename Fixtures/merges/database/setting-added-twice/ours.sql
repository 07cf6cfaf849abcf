INSERT INTO settings VALUES ('theme', 'dark');
