import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/(aliases)/user-home')({
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true })
  },
})
