/**
 * Letters of other scripts and styles that are drawn like Latin ones, which NFKD leaves as they are. Upper and
 * lower case stand apart where they are drawn differently: Η is an H, η an n. After Unicode's confusables.txt
 * (UTS #39), cut down to what passes for a Latin letter in running text.
 */
const lookAlikes: Record<string, string> = {
  a: 'АаΑαɑᴀɐᎪꓮ⍺𐊠🅐🅰🅐',
  b: 'ВвЬьΒβʙƄɓᏴᏼꓐ🅑🅱',
  c: 'СсϲϹᴄᏟꓚⲥɕƈ¢🅒🅲',
  d: 'ԁԀᴅɗɖđĐðÐᎠꓓ🅓🅳',
  e: 'ЕеЁЄєΕεɛəǝɘᴇᎬꓰҽ🅔🅴',
  f: 'Ϝϝꜰƒẝꞙꓝ🅕🅵',
  g: 'ɡɢԌԍǥɠցᏀꓖ🅖🅶',
  h: 'НнΗһҺʜհħĦᎻꓧ🅗🅷',
  i: 'ІіΙιɪıɩᎥꓲߊ🅘🅸',
  j: 'ЈјᴊյϳᎫꓙ🅙🅹',
  k: 'КкΚκᴋƙҡқᏦꓗ🅚🅺',
  l: 'ʟłŁɭɫǀӀӏᏞꓡլ🅛🅻',
  m: 'МмΜᴍɱᎷꓟⲙ🅜🅼',
  n: 'ΝηɴПпոռɲŋꓠ🅝🅽',
  o: 'ОоΟοσᴏօøØɵөӨⲟꓳ🅞🅾',
  p: 'РрΡρᴘƿᏢꓑⲣþ🅟🅿',
  q: 'ԛԚզգɋ🅠🆀',
  r: 'ГгʀɾɽᏒꓣⲅг🅡🆁',
  s: 'ЅѕꜱʂՏᏚꓢ🅢🆂',
  t: 'ТтΤτᴛƭŧŦᎢꓔ🅣🆃',
  u: 'υᴜսʋμꓴ🅤🆄',
  v: 'νѵѴᴠᏙꓦ🅥🆅',
  w: 'ԜԝωᴡɯѡᎳꓪ🅦🆆',
  x: 'ХхΧχҳᕁꓫ🅧🆇',
  y: 'УуΥγʏүҮɣყꓬ🅨🆈',
  z: 'Ζᴢʐƶꓜ🅩🆉',
  ae: 'æÆ',
  oe: 'œŒ',
  ss: 'ßẞ',
}

export const latinLookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
)
