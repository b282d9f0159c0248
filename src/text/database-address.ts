/** A server of an address: a name or an IP address, and its port where one is given. */
export type Host = { name: string; port: number | null }

/**
 * Takes an address of PostgreSQL apart: libpq lets it name several servers
 * (`postgres://user:password@a:5432,b:5432/name`), which URL does not parse. `single` is the same address with the
 * first server only. Null where it is no address.
 */
export function readDatabaseAddress(text: string): { single: string; hosts: Host[] } | null {
  const [, before = '', servers = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(text) ?? []
  const urls = servers.split(',').map((server) => URL.parse(`${before}${server}${after}`))
  const hosts = urls.flatMap((url) => (url ? [hostOf(url)] : []))
  const [first] = urls
  return first && hosts.length === urls.length ? { single: first.href, hosts } : null
}

/** An IPv6 address has brackets in a URL, and none elsewhere. */
function hostOf({ hostname, port }: URL): Host {
  return { name: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? null : Number(port) }
}
