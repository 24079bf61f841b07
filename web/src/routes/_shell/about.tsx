import { createFileRoute } from '@tanstack/react-router'
import { AboutScreen } from '#features/landing/AboutScreen.tsx'
import { useSession } from '#lib/session.ts'

export const Route = createFileRoute('/_shell/about')({ staticData: { reading: true }, component: About })

function About() {
  return <AboutScreen signedIn={useSession().status === 'signed-in'} />
}
