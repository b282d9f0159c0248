import type { Viewer } from '#src/ui/viewer'
export function Landing({ viewer }: { viewer: Viewer }) {
  return <h1 className="title-xl">{viewer.siteName}</h1>
}
