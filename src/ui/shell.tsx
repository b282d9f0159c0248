import type { ReactNode } from 'react'
import type { Frame } from '#src/ui/document'
import { Footer } from '#src/ui/footer'
import type { Section } from '#src/ui/navigation'
import { SideBar } from '#src/ui/side-bar'
import { TabBar } from '#src/ui/tab-bar'
import { TopBar } from '#src/ui/top-bar'
import type { FrameViewer } from '#src/ui/viewer'

/**
 * Frame of ordinary pages. Soft navigation updates its `data-live` parts; the rest stays as it is (a half-typed address
 * in the Beta Access box, the sidebar's scroll position).
 */
export function Shell({
  viewer,
  section = null,
  frame = 'shell',
  children,
}: {
  viewer: FrameViewer
  section?: Section | null
  frame?: Frame
  children: ReactNode
}) {
  return (
    <div className="shell">
      <TopBar viewer={viewer} section={section} />
      <SideBar viewer={viewer} section={section} frame={frame} />
      <main className="main" id="main">
        <div className="main-inner">
          {children}
          <Footer />
        </div>
      </main>
      <TabBar section={section} />
    </div>
  )
}
