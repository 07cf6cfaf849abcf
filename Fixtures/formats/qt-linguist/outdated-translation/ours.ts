<TS>
<context>
<name>Main</name>
<message>
<source>Open file</source>
<translation>Auf</translation>
</message>
</context>
<context>
<name>Bar</name>
<message>
<source>Open</source>
<translation>Z</translation>
</message>
</context>
</TS>
