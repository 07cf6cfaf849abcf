UPDATE settings SET key = 'Font' WHERE key = 'font';
UPDATE settings SET value = 'A' WHERE key = 'font';
