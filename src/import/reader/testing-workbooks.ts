import { type Files, zipOf } from './testing-zip'

/** Workbooks built part by part for tests, so that they can have forms that no spreadsheet program writes. */

export type WorkbookParts = {
  /** The content of `sheetData`. `behindRows` follows that element. */
  rows?: string
  behindRows?: string
  /** The `si` elements. */
  strings?: string
  /** More parts, by path. */
  parts?: Record<string, string | Uint8Array>
  sheets?: number
  /** XML before the root element of the sheet. */
  declared?: string
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (...each: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const contentType = (part: string, type: string) =>
  `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
const contentTypes = (sheets: number, hasStrings: boolean, hasStyles: boolean) =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${contentType('workbook', 'sheet.main')}${Array.from({ length: sheets }, (_, at) => contentType(`worksheets/sheet${at + 1}`, 'worksheet')).join('')}${hasStrings ? contentType('sharedStrings', 'sharedStrings') : ''}${hasStyles ? contentType('styles', 'styles') : ''}</Types>`
const headingRow =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Text</t></is></c></row>'

/** The parts of an .xlsx: a heading (Name, Text), and the given ones. */
export function xlsxParts({
  rows = '',
  behindRows = '',
  strings,
  parts = {},
  sheets = 1,
  declared = '',
}: WorkbookParts): Files {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  const sheet = (content: string) =>
    `${declared}<worksheet ${main}><sheetData>${headingRow}${content}</sheetData>${behindRows}</worksheet>`
  return {
    '[Content_Types].xml': contentTypes(sheets, strings !== undefined, 'xl/styles.xml' in parts),
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${numbers
      .map((each) => `<sheet name="s${each}" sheetId="${each}" r:id="rId${each}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...numbers.map((each) => relation(`rId${each}`, 'worksheet', `worksheets/sheet${each}.xml`)),
      ...(strings === undefined ? [] : [relation('strings', 'sharedStrings', 'sharedStrings.xml')]),
    ),
    ...Object.fromEntries(
      numbers.map((each) => [`xl/worksheets/sheet${each}.xml`, sheet(each === 1 ? rows : '')]),
    ),
    ...(strings !== undefined && { 'xl/sharedStrings.xml': `<sst ${main}>${strings}</sst>` }),
    ...parts,
  }
}

/** An .xlsx of these parts. */
export function xlsxOf(parts: WorkbookParts): Uint8Array {
  return zipOf(xlsxParts(parts))
}

/** A row of cells with a text each, `row` counted from 1. */
export function textRow(row: number, ...texts: string[]): string {
  const cells = texts.map(
    (text, at) => `<c r="${'ABCDEFGH'[at]}${row}" t="inlineStr"><is><t>${text}</t></is></c>`,
  )
  return `<row r="${row}">${cells.join('')}</row>`
}
