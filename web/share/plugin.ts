// How the build makes /share/{id}.png, the picture of each provider of the catalogue that ships; the head of a plan's page
// names it (public.page_head).
import type { Plugin } from 'vite'
import catalogue from '../../supabase/provider-catalogue.json' with { type: 'json' }
import { drawPicture } from './draw.ts'

export function sharePictures(): Plugin {
  return {
    name: 'potluck:share-pictures',
    async generateBundle() {
      const drawn = catalogue.map(async ({ id, name }) => {
        this.emitFile({ type: 'asset', fileName: `share/${id}.png`, source: await drawPicture(name) })
      })
      await Promise.all(drawn)
    },
  }
}
