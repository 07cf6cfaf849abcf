UPDATE settings SET value = 1.0 WHERE key = 'size';
UPDATE settings SET key = 'Font', value = 'A' WHERE key = 'font';
