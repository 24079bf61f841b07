import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/(aliases)/home')({
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true })
  },
})
