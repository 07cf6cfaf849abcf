UPDATE log SET what = 'began' WHERE at = '09:00';
UPDATE log SET what = 'coffee' WHERE rowid = 2;
