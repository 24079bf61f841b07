import { useForm } from '@mantine/form'
import { useState } from 'react'
import { looksLikeEmail } from '#domain/text.ts'
import {
  sayInvalidEmail,
  sayMagicLinkFailed,
  sayMagicLinkSent,
  sayNoPassword,
  saySignInFailed,
} from './auth.messages.ts'
import { sendMagicLink, signIn } from './auth.mutations.ts'
import { recallEmail } from './post-login.ts'

type Working = 'password' | 'link' | null

/** The sign-in form's values and its two ways to submit them. A success is noticed by the screen, a failure told in a toast. */
export function useSignInForm() {
  const form = useForm({ initialValues: { email: recallEmail(), password: '' } })
  const [working, setWorking] = useState<Working>(null)
  const [linkSent, setLinkSent] = useState(false)

  const emailIsFine = () => {
    if (looksLikeEmail(form.values.email)) return true
    form.setFieldError('email', true)
    sayInvalidEmail()
    return false
  }

  const submit = async () => {
    if (working || !emailIsFine()) return
    if (form.values.password === '') {
      form.setFieldError('password', true)
      sayNoPassword()
      return
    }
    setWorking('password')
    try {
      await signIn(form.values.email, form.values.password)
    } catch (problem) {
      saySignInFailed(problem)
    } finally {
      setWorking(null)
    }
  }

  const mailLink = async () => {
    if (working || !emailIsFine()) return
    setWorking('link')
    try {
      await sendMagicLink(form.values.email)
      sayMagicLinkSent()
      setLinkSent(true)
    } catch (problem) {
      sayMagicLinkFailed(problem)
    } finally {
      setWorking(null)
    }
  }

  const fill = (account: { email: string; password: string }) => {
    form.setValues(account)
    form.clearErrors()
  }

  return { form, working, linkSent, submit, mailLink, fill }
}

export type SignInFormState = ReturnType<typeof useSignInForm>
