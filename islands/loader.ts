import { startIslands } from '#islands/page-islands'

startIslands(document)
