// Written by `npm run messages`: the translations in this folder.
import type { Message } from './render.ts'

type Words = Record<string, Record<string, Message>>

export const languages: Record<string, Words> = {}
