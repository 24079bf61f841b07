import { createFileRoute, redirect } from '@tanstack/react-router'

/** NAV-14 */
export const Route = createFileRoute('/(aliases)/home')({
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true })
  },
})
