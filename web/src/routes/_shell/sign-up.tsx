import { createFileRoute, redirect } from '@tanstack/react-router'
import { SignUpScreen } from '#features/account/auth/SignUpScreen.tsx'
import { askSession } from '#lib/session.ts'
import { PlanInView } from './-PlanInView.tsx'

export const Route = createFileRoute('/_shell/sign-up')({
  beforeLoad: async () => {
    if (await askSession()) throw redirect({ to: '/home', replace: true })
  },
  component: () => <SignUpScreen about={<PlanInView />} />,
})
