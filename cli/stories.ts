import { defineCommand } from 'citty'

/** Each verb loads only its own code, because loading takes nearly all of a quick command's time. */
export default defineCommand({
  meta: {
    name: 'stories',
    description:
      'The library: list, show, add, edit, publish, unpublish, schedule, remove, restore, change, undo, import, export',
  },
  subCommands: {
    list: () => import('#cli/stories/list').then((m) => m.listOf('stories')),
    show: () => import('#cli/stories/show').then((m) => m.show),
    add: () => import('#cli/stories/add').then((m) => m.add),
    edit: () => import('#cli/stories/edit').then((m) => m.edit),
    publish: () => import('#cli/stories/appear').then((m) => m.publish),
    unpublish: () => import('#cli/stories/appear').then((m) => m.unpublish),
    schedule: () => import('#cli/stories/appear').then((m) => m.schedule),
    remove: () => import('#cli/stories/remove').then((m) => m.remove),
    restore: () => import('#cli/stories/remove').then((m) => m.restore),
    change: () => import('#cli/stories/change').then((m) => m.change),
    undo: () => import('#cli/stories/change').then((m) => m.undo),
    import: () => import('#cli/stories/import').then((m) => m.importStories),
    export: () => import('#cli/stories/export').then((m) => m.exportItems),
  },
})
