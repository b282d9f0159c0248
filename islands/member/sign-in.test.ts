import { describe, expect, test } from 'bun:test'
import { ApiError } from '#islands/runtime/api-error'
import { failureOf } from './sign-in'

describe('a failed sign-in', () => {
  test('is shown in the words of the server', () => {
    const error = new ApiError(
      401,
      '{"success":false,"message":"Email or password is not right."}',
      'Unauthorized',
    )
    expect(failureOf('sign-in', error)).toBe('Email or password is not right.')
  })

  test('has plain words where the server sent none', () => {
    expect(failureOf('sign-in', new ApiError(502, '<html>', 'Bad Gateway'))).toBe('Authentication failed')
  })

  test('asks to try again where nothing answered', () => {
    expect(failureOf('sign-in', new TypeError('Failed to fetch'))).toBe('Login failed. Please try again.')
    expect(failureOf('register', new TypeError('Failed to fetch'))).toBe(
      'Registration failed. Please try again.',
    )
  })
})
