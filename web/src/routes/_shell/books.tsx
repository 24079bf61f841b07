import { createFileRoute } from '@tanstack/react-router'
import { BooksScreen } from '#features/money/books/BooksScreen.tsx'

export const Route = createFileRoute('/_shell/books')({
  staticData: { reading: true },
  component: BooksScreen,
})
