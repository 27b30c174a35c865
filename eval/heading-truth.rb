# Which headings does asciidoctor see? Reads paths on stdin, writes one JSON line for each: path, and [line, level, title] of its sections.
# Included files are not followed: the headings of a file are those that stand in it.
require 'asciidoctor'
require 'json'

class NoInclude < Asciidoctor::Extensions::IncludeProcessor
  def handles?(target) = true
  def process(doc, reader, target, attributes) = nil
end
Asciidoctor::Extensions.register { include_processor NoInclude }
Asciidoctor::LoggerManager.logger.level = Logger::FATAL

def collect(block, found)
  found << [block.lineno, block.level + 1, block.title.to_s] if block.context == :section
  block.blocks.each { |child| collect(child, found) if child.respond_to?(:context) && child.context == :section }
end

$stdin.each_line(chomp: true) do |path|
  text = File.read(path, encoding: 'UTF-8').scrub
  doc = Asciidoctor.load(text, sourcemap: true, safe: :safe, doctype: 'book', attributes: { 'compat-mode' => '', 'sectids' => nil })
  found = []
  header = doc.header
  found << [header.lineno || text.lines.index { |line| line.strip != '' } + 1, 1, header.title] if header && header.title
  doc.blocks.each { |child| collect(child, found) if child.context == :section }
  puts JSON.generate({ path: path, sections: found })
rescue StandardError => error
  warn "#{path}: #{error}"
end
