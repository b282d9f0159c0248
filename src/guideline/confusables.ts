/**
 * Letters of other scripts and styles that look like Latin ones and that NFKD does not change. A capital letter is
 * listed if its small letter looks different: Η is an H, η an n. Derived from Unicode's confusables.txt (UTS #39),
 * reduced to what passes for a Latin letter in running text.
 */
const lookAlikes = `
  a:аαɑᴀɐᎪꓮ⍺𐊠🅐🅰 b:вьβʙƄɓᏼꓐ🅑🅱 c:сϲϹᴄᏟꓚⲥɕƈ¢🅒🅲 d:ԁᴅɗɖđðᎠꓓ🅓🅳 e:еєεɛəǝɘᴇᎬꓰҽ🅔🅴 f:ϝꜰƒẝꞙꓝ🅕🅵 g:ɡɢԍǥɠցᏀꓖ🅖🅶
  h:нΗһʜհħᎻꓧ🅗🅷 i:іιɪıɩᎥꓲߊ🅘🅸 j:јᴊյϳᎫꓙ🅙🅹 k:кκᴋƙҡқᏦꓗ🅚🅺 l:ʟłɭɫǀӏᏞꓡլ🅛🅻 m:мΜᴍɱᎷꓟⲙ🅜🅼 n:Νηɴпոռɲŋꓠ🅝🅽
  o:оοσᴏօøɵөⲟꓳ🅞🅾 p:рρᴘƿᏢꓑⲣþ🅟🅿 q:ԛզգɋ🅠🆀 r:гʀɾɽᏒꓣⲅ🅡🆁 s:ѕꜱʂՏᏚꓢ🅢🆂 t:тτᴛƭŧᎢꓔ🅣🆃 u:υᴜսʋμꓴ🅤🆄 v:νѵᴠᏙꓦ🅥🆅
  w:ԝωᴡɯѡᎳꓪ🅦🆆 x:хχҳᕁꓫ🅧🆇 y:уΥγʏүɣყꓬ🅨🆈 z:Ζᴢʐƶꓜ🅩🆉 ae:æ oe:œ ss:ß
`

export const latinLookAlikes: ReadonlyMap<string, string> = new Map(
  lookAlikes.split(/\s+/).flatMap((entry) => {
    const [latin = '', others = ''] = entry.split(':')
    return [...others].map((other) => [other, latin] as const)
  }),
)
